"""The electronic tumbler: dice from a seed that was committed to before anybody bet."""

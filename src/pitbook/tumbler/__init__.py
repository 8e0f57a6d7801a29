"""The electronic tumbler: dice from a seed that the house commits to before betting opens."""

"""Tests of the fairness of dice, valid however often one looks."""

"""What managers and auditors look at: journals, audits, exports, dice, hold, alarms."""

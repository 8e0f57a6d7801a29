"""The back office of managers and auditors: journal, audits, exports, dice, hold, alarms."""

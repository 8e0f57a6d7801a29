"""Webhooks: settlements, alarms and approvals sent to other systems, signed, at least once, in the order of the record.

The journal is the queue: each webhook has a position in every record, stored beside the journal, which advances once a
message was accepted. One process delivers, by a lease. In reading order: signatures, targets, messages, progress,
delivery, pending, service.
"""

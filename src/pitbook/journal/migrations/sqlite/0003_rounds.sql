-- Finding a past round without reading a table's whole record: what ends, corrects or concerns a round, few among bets.

CREATE INDEX entries_of_rounds ON entries (table_name, sequence)
WHERE kind IN (
  'RoundEnded', 'RoundVoided', 'WagersReturned', 'BettingReopened', 'DiceCorrected',
  'Disputed', 'DisputeSettled', 'ResettlementProposed', 'Resettled'
);

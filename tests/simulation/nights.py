"""A scenario with every kind of plan."""

SCENARIO = """
book = "dice-works"
seed = 7
nights = 6
hours = 2.5
rolls_per_hour = 60
tables = 2

[paytables]
all-lows = "PT2"

[limits.all-lows]
least = 1
greatest = 100

[[players]]
name = "steady"
count = 3
bankroll = 100
[[players.bets]]
wager = "all-lows"
stake = 5
[[players.bets]]
wager = "parlay/6x6"
stake = 1

[[players]]
name = "doubling"
count = 2
bankroll = 300
stop_loss = 250
stop_win = 200
[[players.bets]]
wager = "roll-the-line"
plan = "progression"
stake = 5
factor = 2.5
limit = 80
[[players.bets]]
wager = "parlay-envy/4x4"
plan = "progression"
stake = 2
factor = 2
limit = 16
after = "win"

[[players]]
name = "dreamers"
count = 2
bankroll = 60
[[players.bets]]
wager = "the-works"
plan = "until won"
stake = 1
[[players.bets]]
wager = "parlay/2x2"
plan = "until won"
stake = 2
[[players.bets]]
wager = "all-highs"
plan = "list"
stakes = [1, 2, "2.50"]
"""

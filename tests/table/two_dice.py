"""A game of two dice without a hand, as a house would write it: every bet is decided by one throw."""

UNDER_OVER = """
[book]
id             = "under-over-seven"
title          = "Under and Over Seven"
authority      = "house"
game           = "sic-bo"
dice           = 2
currency       = "EUR"
version        = "1"
in_force_since = 2026-01-01
about          = "Two dice are shaken: under seven, over seven, seven, and pairs."

[odds]
clause  = "3"
basis   = "fixed"
wording = ["to"]

[wager.under]
name        = { en = "Under seven", zh = "七以下" }
clause      = "2.1"
wins        = "total 2..6"
pays        = "1 to 1"
pays_clause = "3"

[wager.over]
name        = { en = "Over seven", zh = "七以上" }
clause      = "2.1"
wins        = "total 8..12"
pays        = "1 to 1"
pays_clause = "3"

[wager.seven]
name        = { en = "Seven", zh = "七" }
clause      = "2.2"
wins        = "total 7"
pays        = "4 to 1"
pays_clause = "3"

[wager.pair]
name        = { en = "Pair of {selection}", zh = "對子 {selection}" }
clause      = "2.3"
selections  = ["1", "2", "3", "4", "5", "6"]
wins        = "count({number}) = 2"
pays        = "30 to 1"
pays_clause = "3"

[role.player]
name   = { en = "Guest", zh = "賓客" }
rank   = 0
clause = "1"

[role.croupier]
name   = { en = "Croupier", zh = "荷官" }
rank   = 1
clause = "1"

[role.pit-chief]
name   = { en = "Pit chief", zh = "場區主管" }
rank   = 2
clause = "1"

[ranks]
acting = "any higher position"
clause = "1"

[equipment.dice]
name   = { en = "Dice", zh = "骰子" }
kind   = "dice"
clause = "1"
says   = "two dice"
count  = 2

[equipment.cup]
name   = { en = "Cup", zh = "骰盅" }
kind   = "shaker"
shaker = "manual"
clause = "1"
says   = "a covered cup"
keeper = "croupier"

[equipment.board]
name   = { en = "Light board", zh = "燈板" }
kind   = "device"
clause = "1"
says   = "lights what has won"

[[inspection]]
id        = "board-test"
equipment = "board"
who       = ["croupier"]
when      = "each shift"
how       = "enter three values"
clause    = "1"
times     = 1
says      = "enter values and see what lights up"

[procedure]
round = [
    { id = "stake", act = "take bets", clause = "4", says = "place your chips", who = ["player", "croupier"] },
    { id = "shut", act = "close betting", clause = "4", says = "no more bets", who = ["croupier"], after = ["stake"] },
    { id = "shake", act = "shake", clause = "4", says = "shake", who = ["croupier"], after = ["shut"] },
    { id = "lift", act = "reveal", clause = "4", says = "lift the cup", who = ["croupier"], after = ["shake"] },
    { id = "enter", act = "enter dice", clause = "4", says = "enter the dice", who = ["croupier"], after = ["lift"] },
    { id = "sweep", act = "collect losers", clause = "4", says = "sweep", who = ["croupier"], after = ["enter"] },
    { id = "pay", act = "pay winners", clause = "4", says = "pay", who = ["croupier"], after = ["sweep"] },
]

[reading]

[irregularity.cup-falls]
name      = { en = "The cup falls", zh = "骰盅跌落" }
clause    = "5"
when      = ["closed", "thrown"]
called_by = ["croupier", "pit-chief"]
remedy    = "void and return"
says      = "the round is void and wagers go back"

[[layout.blocks]]
id     = "sevens"
name   = { en = "Seven", zh = "七" }
shape  = "grid"
rows   = [["under", "seven", "over"]]
clause = "1"

[[layout.blocks]]
id     = "pairs"
name   = { en = "Pairs", zh = "對子" }
shape  = "grid"
rows   = [["pair/1", "pair/2", "pair/3", "pair/4", "pair/5", "pair/6"]]
clause = "1"

[clauses]
"1"   = { kind = "definition", says = "who is at the table and with what" }
"2.1" = { kind = "modelled", by = ["wager.under.wins", "wager.over.wins"], says = "below or above seven" }
"2.2" = { kind = "modelled", by = ["wager.seven.wins"], says = "seven itself" }
"2.3" = { kind = "modelled", by = ["wager.pair.wins"], says = "a pair by its face" }
"3"   = { kind = "modelled", by = ["wager.under.pays", "wager.seven.pays", "wager.pair.pays"], says = "the pays" }
"4"   = { kind = "physical", says = "how a round goes" }
"5"   = { kind = "modelled", by = ["irregularity.cup-falls.remedy"], says = "a cup that falls" }
"""

"""Books of other places, as a house would write them: a game of three dice with its own layout, and a side bet."""

LANTERNS = """
[book]
id             = "lantern-bay"
title          = "Three Lanterns"
authority      = "Lantern Bay Gaming Board"
game           = "sic-bo"
dice           = 3
currency       = "EUR"
version        = "2"
in_force_since = 2026-01-01
about          = "Three dice and thirteen areas: high and low lanterns, single lights, and the great lantern."

[odds]
clause  = "4"
basis   = "fixed"
wording = ["to"]

[group.lamps]
name   = { en = "Lanterns", zh = "燈籠" }
clause = "2"

[wager.low-lantern]
name        = { en = "Low lantern", zh = "低燈" }
clause      = "2.1"
group       = "lamps"
wins        = "total 4..8"
pays        = "2 to 1"
pays_clause = "4"

[wager.high-lantern]
name        = { en = "High lantern", zh = "高燈" }
clause      = "2.1"
group       = "lamps"
wins        = "total 13..17"
pays        = "2 to 1"
pays_clause = "4"

[wager.middle]
name        = { en = "Middle lantern", zh = "中燈" }
clause      = "2.1"
group       = "lamps"
wins        = "total 9..12 and not triple"
pays        = "1 to 1"
pays_clause = "4"

[wager.great-lantern]
name        = { en = "Great lantern", zh = "大燈籠" }
clause      = "2.2"
group       = "lamps"
wins        = "triple"
pays        = "31 to 1"
pays_clause = "4"

[wager.light]
name        = { en = "Light {selection}", zh = "燈火 {selection}" }
clause      = "2.3"
selections  = ["1", "2", "3", "4", "5", "6"]
[wager.light.wins]
"one die"    = "count({number}) = 1"
"two dice"   = "count({number}) = 2"
"three dice" = "count({number}) = 3"
[wager.light.pays]
"one die"    = "1 to 1"
"two dice"   = "3 to 2"
"three dice" = "10 to 1"
[wager.light.pays_clause]
"one die"    = "4"
"two dice"   = "4"
"three dice" = "4"

[wager.straight]
name        = { en = "Straight {selection}", zh = "順子 {selection}" }
clause      = "2.4"
selections  = ["1-2-3", "4-5-6"]
wins        = "exactly {faces}"
pays        = "30 to 1"
pays_clause = "4"

[wager.even-light]
name        = { en = "All even", zh = "全雙" }
clause      = "2.4"
wins        = "three of 2 4 6"
pays        = "33 to 1"
pays_clause = "4"

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
says   = "three red dice"
count  = 3

[equipment.lantern-cup]
name   = { en = "Lantern cup", zh = "燈籠盅" }
kind   = "shaker"
shaker = "manual"
clause = "1"
says   = "a covered cup"
keeper = "croupier"

[[procedure.round]]
id     = "stake"
act    = "take bets"
who    = ["player", "croupier"]
clause = "3.1"
says   = "guests place their chips"

[[procedure.round]]
id       = "shut"
act      = "close betting"
who      = ["croupier"]
announce = "The lanterns are lit"
clause   = "3.2"
after    = ["stake"]
says     = "close betting"

[[procedure.round]]
id       = "swing"
act      = "shake"
who      = ["croupier"]
shaker   = "manual"
at_least = 2
clause   = "3.3"
after    = ["shut"]
says     = "swing the cup twice"

[[procedure.round]]
id     = "lift"
act    = "reveal"
who    = ["croupier"]
clause = "3.4"
after  = ["swing"]
says   = "lift the cup"

[[procedure.round]]
id     = "enter"
act    = "enter dice"
who    = ["croupier"]
clause = "3.4"
after  = ["lift"]
says   = "enter what the dice show"

[[procedure.round]]
id     = "glow"
act    = "illuminate"
who    = ["croupier"]
clause = "3.5"
after  = ["enter"]
says   = "the winning areas glow"

[[procedure.round]]
id     = "sweep"
act    = "collect losers"
who    = ["croupier"]
clause = "3.6"
after  = ["glow"]
says   = "sweep what lost"

[[procedure.round]]
id     = "pay"
act    = "pay winners"
who    = ["croupier"]
clause = "3.6"
after  = ["sweep"]
says   = "pay what won"

[reading]

[irregularity.cup-falls]
name      = { en = "The cup falls", zh = "骰盅跌落" }
clause    = "5"
when      = ["closed", "thrown"]
called_by = ["croupier", "pit-chief"]
remedy    = "void and return"
says      = "the round is void and wagers go back"

[[layout.blocks]]
id     = "lights"
name   = { en = "Lights", zh = "燈火" }
shape  = "grid"
rows   = [["light/6", "light/5"], ["light/4", "light/3"], ["light/2", "light/1"]]
clause = "6"

[[layout.blocks]]
id     = "lanterns"
name   = { en = "Lanterns", zh = "燈籠" }
shape  = "grid"
rows   = [["low-lantern", "middle", "high-lantern"], ["straight/1-2-3", "great-lantern", "straight/4-5-6"],
          ["even-light"]]
clause = "6"

[clauses]
"1"   = { kind = "definition", says = "who is at the table and with what" }
"2"   = { kind = "definition", says = "the wagers" }
"2.1" = { kind = "modelled", by = ["wager.low-lantern.wins", "wager.middle.wins"], says = "lanterns by the total" }
"2.2" = { kind = "modelled", by = ["wager.great-lantern.wins"], says = "three alike light the great lantern" }
"2.3" = { kind = "modelled", by = ["wager.light.wins"], says = "a single light wins once for each die" }
"2.4" = { kind = "modelled", by = ["wager.straight.wins", "wager.even-light.wins"], says = "straights and all even" }
"3.1" = { kind = "physical", says = "guests place chips" }
"3.2" = { kind = "modelled", by = ["procedure.round.shut.announce"], says = "betting closes with the words" }
"3.3" = { kind = "modelled", by = ["procedure.round.swing.at_least"], says = "the cup is swung twice at least" }
"3.4" = { kind = "physical", says = "the cup is lifted and the dice are entered" }
"3.5" = { kind = "physical", says = "the winning areas glow" }
"3.6" = { kind = "physical", says = "losers are swept before winners are paid" }
"4"   = { kind = "modelled", by = ["wager.light.pays", "wager.low-lantern.pays"], says = "the pays" }
"5"   = { kind = "modelled", by = ["irregularity.cup-falls.remedy"], says = "a cup that falls" }
"6"   = { kind = "physical", says = "how the cloth is printed" }
"""

TWO_ENDS = """
[book]
id        = "two-ends"
title     = "Two Ends"
authority = "Lantern Bay Gaming Board"
game      = "craps"
dice      = 2
currency  = "EUR"
about     = "One side bet: a 2 and a 12 before a seven."

[odds]
clause  = "3"
basis   = "fixed"
wording = ["to"]

[wager.two-ends]
name        = { en = "Two Ends", zh = "兩端" }
clause      = "2"
family      = "collect"
collects    = [2, 12]
loses_on    = "any seven"
pays        = "22 to 1"
pays_clause = "3"
window      = { clause = "2", rolls = "come-out" }

[role.player]
name   = { en = "Guest", zh = "賓客" }
rank   = 0
clause = "1"

[role.shooter]
name   = { en = "Shooter", zh = "擲骰者" }
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
acting = "the position named"
clause = "1"

[equipment.dice]
name   = { en = "Dice", zh = "骰子" }
kind   = "dice"
clause = "1"
says   = "two dice"
count  = 2

[procedure]
round = [
    { id = "stake", act = "take bets", clause = "1", says = "guests place their chips", who = ["player", "croupier"] },
    { id = "throw", act = "roll", clause = "1", says = "the shooter throws", who = ["shooter"], after = ["stake"] },
    { id = "sweep", act = "collect losers", clause = "1", says = "sweep", who = ["croupier"], after = ["throw"] },
    { id = "pay", act = "pay winners", clause = "1", says = "pay what won", who = ["croupier"], after = ["throw"] },
]

[[layout.blocks]]
id     = "side"
name   = { en = "Side bets", zh = "附加投注" }
shape  = "arc"
rows   = [["two-ends"]]
clause = "1"

[reading]

[irregularity]

[clauses]
1 = { kind = "definition", says = "played at a craps table" }
2 = { kind = "modelled", by = ["wager.two-ends.collects", "wager.two-ends.window.rolls"], says = "both before a seven" }
3 = { kind = "modelled", by = ["wager.two-ends.pays"], says = "22 to 1" }
"""

"""The loop of a night: tables with their own dice and areas, and players who follow their plans.

Areas and windows behave exactly as in `engine.progress` and `engine.windows`; a test compares them. After the last hour
no more bets are made, and the dice roll until the last one has ended.
"""

from __future__ import annotations

from typing import Any

from numba import int64, njit, uint64

from pitbook.simulation.fields import (
    AREA,
    AT_COME_OUT,
    BET,
    CAP,
    COLUMNS,
    ENDS,
    ENVY_FIXED,
    ENVY_TIMES,
    FACTOR_ABOVE,
    FACTOR_BELOW,
    FIRST_BET,
    FOR_PLAYER,
    GAINS,
    LAST_BET,
    LIMIT,
    LOSE,
    PLAN,
    PLAN_LIST,
    PLAN_PROGRESSION,
    PLAN_UNTIL_WON,
    PLAYER,
    SIZE,
    STAKES,
    STAKES_COUNT,
    START_MONEY,
    STARTS,
    STEPS,
    STOP_HIGH,
    STOP_LOW,
    TABLE,
    UNMARKED,
    UP_AFTER_WIN,
    WAITS,
    WATCHED,
    WATCHED_COUNT,
    WIDTH,
    WIN,
)
from pitbook.simulation.streams import begin, fill

PAID = -1


@njit(error_model="numpy")
def gain(stake: Any, above: Any, below: Any, for_player: Any, cap: Any) -> Any:
    """Return what a stake gains at odds, rounded to whole minor units as the book says, up to its cap."""
    exact = stake * above
    net = exact // below
    if for_player and net * below != exact:
        net += 1
    return min(net, cap)


@njit(error_model="numpy")
def play_nights(
    seed: Any,
    first_night: Any,
    numbers: Any,
    data: Any,
    areas: Any,
    players: Any,
    bets: Any,
    fans: Any,
    nets: Any,
    staked: Any,
    ruined: Any,
    hourly: Any,
    handle: Any,
    fan: Any,
    ends: Any,
    totals: Any,
    room: Any,
    stream: Any,
    cells: Any,
) -> Any:
    """Play nights; return the number of rolls.

    `data` holds the small tables that the rows of `areas` and `bets` point into. Buffers: the state of each area,
    whether it has just won, whether it is open, how it ended; each bet's running stake, next stake, place in its list;
    each player's money and running stakes.
    """
    nights, tables, night_rolls, hour_rolls = numbers[0], numbers[1], numbers[2], numbers[3]
    area_count, player_count, bet_count, throws = numbers[4], numbers[5], numbers[6], numbers[7]
    rest_min, hours, hand_steps, samples = uint64(numbers[8]), numbers[9], numbers[10], numbers[11]
    fan_count = numbers[12]
    states, just_won, opened, ended = 0, area_count, 2 * area_count, 3 * area_count
    running = 4 * area_count
    stakes_next, place = running + bet_count, running + 2 * bet_count
    money = running + 3 * bet_count
    out, left = money + player_count, money + 2 * player_count
    rolls = 0
    for night in range(nights):
        for table in range(tables):
            begin(stream, seed, (first_night + night) * tables + table)
            at, have = 0, 0
            hand = 0
            for area in range(area_count):
                room[states + area] = data[areas[area * AREA + STARTS]]
                room[just_won + area] = 0
            low, high = data[numbers[13] + table], data[numbers[13] + table + 1]
            for player in range(low, high):
                room[money + player] = players[player * PLAYER + START_MONEY]
                room[out + player] = 0
                room[left + player] = 0
                ruined[night * player_count + player] = -1
                for bet in range(players[player * PLAYER + FIRST_BET], players[player * PLAYER + LAST_BET]):
                    room[running + bet] = 0
                    room[stakes_next + bet] = data[bets[bet * BET + STAKES]]
                    room[place + bet] = 0
            lying = 0
            roll = 0
            while roll < night_rolls or lying > 0:
                hour = min(int64(roll // hour_rolls), hours - 1)
                if roll < night_rolls:
                    # Samples for the fans are taken at even distances, the first before the first roll.
                    if (roll * samples) % night_rolls < samples:
                        sample = roll * samples // night_rolls
                        for one in range(fan_count):
                            player = fans[one]
                            if low <= player < high:
                                worth = room[money + player] + room[out + player]
                                fan[(night * fan_count + one) * (samples + 1) + sample] = worth
                    for area in range(area_count):
                        base = area * AREA
                        is_open = room[states + area] != PAID
                        if areas[base + AT_COME_OUT] and hand != 0 and room[just_won + area] == 0:
                            is_open = False
                        for other in range(areas[base + WATCHED_COUNT]):
                            watched = data[areas[base + WATCHED] + other]
                            state = room[states + watched]
                            if state == PAID or data[areas[watched * AREA + UNMARKED] + state] == 0:
                                is_open = False
                        room[opened + area] = is_open
                    for player in range(low, high):
                        if room[left + player]:
                            continue
                        worth = room[money + player] + room[out + player]
                        if (
                            worth <= players[player * PLAYER + STOP_LOW]
                            or worth >= players[player * PLAYER + STOP_HIGH]
                        ):
                            room[left + player] = 1
                            continue
                        short = False
                        for bet in range(players[player * PLAYER + FIRST_BET], players[player * PLAYER + LAST_BET]):
                            if room[running + bet] or room[place + bet] < 0:
                                continue
                            if not room[opened + bets[bet * BET]]:
                                continue
                            stake = room[stakes_next + bet]
                            if stake > room[money + player]:
                                short = True
                                continue
                            room[running + bet] = stake
                            room[money + player] -= stake
                            room[out + player] += stake
                            staked[night * player_count + player] += stake
                            handle[night * hours + hour] += stake
                            totals[0] += 1
                            lying += 1
                        if short and room[out + player] == 0:
                            room[left + player] = 1
                            ruined[night * player_count + player] = roll
                if at == have:
                    have = STEPS
                    fill(stream, cells, have, uint64(throws), rest_min)
                    at = 0
                cell = int64(cells[at])
                at += 1
                roll += 1
                rolls += 1
                hand_after = data[hand_steps + hand * throws + cell]
                for area in range(area_count):
                    base = area * AREA
                    size, width = areas[base + SIZE], areas[base + WIDTH]
                    column = data[areas[base + COLUMNS] + cell]
                    state = room[states + area]
                    room[ended + area] = -1
                    starts = areas[base + STARTS]
                    if state == PAID:
                        # The seven that a fresh wager would have lost to frees the area.
                        target = data[areas[base + TABLE] + data[starts + hand] * width + column]
                        if target == size + areas[base + LOSE]:
                            room[states + area] = data[starts + hand_after]
                        continue
                    target = data[areas[base + TABLE] + state * width + column]
                    if target < size:
                        room[states + area] = target
                        if data[areas[base + UNMARKED] + target] == 0:
                            room[just_won + area] = 0
                        continue
                    room[ended + area] = target - size
                    room[just_won + area] = 0
                    room[states + area] = data[starts + hand_after]
                    if target - size == areas[base + WIN]:
                        if areas[base + WAITS]:
                            room[states + area] = PAID
                        else:
                            room[just_won + area] = 1
                hand = hand_after
                if lying == 0:
                    continue
                for player in range(low, high):
                    if room[out + player] == 0:
                        continue
                    for bet in range(players[player * PLAYER + FIRST_BET], players[player * PLAYER + LAST_BET]):
                        stake = room[running + bet]
                        if stake == 0:
                            continue
                        area = bets[bet * BET]
                        end = room[ended + area]
                        if end < 0:
                            continue
                        base = area * AREA
                        odds = areas[base + GAINS] + 2 * end
                        net = gain(stake, data[odds], data[odds + 1], areas[base + FOR_PLAYER], areas[base + CAP])
                        room[running + bet] = 0
                        room[out + player] -= stake
                        room[money + player] += stake + net
                        lying -= 1
                        ends[areas[base + ENDS] + end] += 1
                        envy = 0
                        if net > 0:
                            envy = areas[base + ENVY_FIXED] + areas[base + ENVY_TIMES] * stake
                            totals[2] += envy
                            totals[1] = max(totals[1], net)
                        hourly[night * hours + hour] -= net + envy
                        row = bet * BET
                        plan = bets[row + PLAN]
                        if plan == PLAN_LIST:
                            room[place + bet] = (room[place + bet] + 1) % bets[row + STAKES_COUNT]
                            room[stakes_next + bet] = data[bets[row + STAKES] + room[place + bet]]
                        elif plan == PLAN_UNTIL_WON:
                            if net > 0:
                                room[place + bet] = -1
                        elif plan == PLAN_PROGRESSION and net != 0:
                            if (net > 0) == (bets[row + UP_AFTER_WIN] != 0):
                                higher = stake * bets[row + FACTOR_ABOVE] // bets[row + FACTOR_BELOW]
                                room[stakes_next + bet] = min(higher, bets[row + LIMIT])
                            else:
                                room[stakes_next + bet] = data[bets[row + STAKES]]
            for player in range(low, high):
                nets[night * player_count + player] = room[money + player] - players[player * PLAYER + START_MONEY]
            for one in range(fan_count):
                player = fans[one]
                if low <= player < high:
                    fan[(night * fan_count + one) * (samples + 1) + samples] = room[money + player]
    return rolls

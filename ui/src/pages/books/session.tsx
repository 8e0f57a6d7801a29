/** The session calculator: the same bets round after round, or a strategy, computed by the server. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { asProblem } from "../../api/problems";
import type { components } from "../../api/schema";
import type { BookPage, WagerEntry } from "../../api/types";
import { latestData, useRequest } from "../../api/use-request";
import { Amount } from "../../components/amount";
import { Button } from "../../components/button";
import { Downloads } from "../../components/downloads";
import { Fact, Facts } from "../../components/facts";
import { Choice, Field } from "../../components/field";
import { problemWords } from "../../components/problem-note";
import { Section } from "../../components/section";
import { named } from "../../i18n";
import { booksWords } from "../../i18n/words/books";
import { amountTyped, decimalsOf } from "../../money/amounts";
import { percentage, rounded } from "../../money/figures";
import { asQuery, type BookChoices, byName } from "../../shell/book-choices";
import { Area, Line } from "./small-plots";

type Schemas = components["schemas"];
type Found = Schemas["SessionFound"];
type Rule = Schemas["StrategyRule"];

interface Bet {
  wager: string;
  stake: string;
}

/** A rule of the strategy with the typed stake; null for the maximum. */
interface TypedRule {
  rule: Rule;
  stake: string | null;
}

const BETS = "";
const FIRST_STAKE = "5";
const ROUNDS = "60";
/** A strategy has many more states than a bet, so it starts with fewer rolls. */
const ROLLS = "30";

export function SessionExplorer({ book, wager, under }: { book: BookPage; wager: WagerEntry; under: BookChoices }) {
  const t = booksWords().analysis.session;
  const money = book.identity.currency;
  const conditions = asQuery({ ...under, paytable: [] });
  const listed = useRequest(
    () =>
      unwrap(
        api.GET("/api/v1/books/{book_id}/strategies", {
          params: { path: { book_id: book.book }, query: conditions },
        }),
      ),
    [book.book, JSON.stringify(conditions)],
  );
  const strategies = latestData(listed.response)?.strategies ?? [];
  const [strategy, setStrategy] = useState(BETS);
  const [bets, setBets] = useState<Bet[]>([{ wager: wager.wager, stake: FIRST_STAKE }]);
  const [rules, setRules] = useState<TypedRule[]>([]);
  const [bankroll, setBankroll] = useState("100");
  const [rounds, setRounds] = useState(ROUNDS);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const [found, setFound] = useState<Found | null>(null);
  const isStrategy = strategy !== BETS;
  const choose = (name: string): void => {
    setStrategy(name);
    setFound(null);
    setRounds(name === BETS ? ROUNDS : ROLLS);
    const chosen = strategies.find(one => one.strategy === name);
    setRules(
      (chosen?.rules ?? []).map(rule => ({
        rule,
        stake: rule.stake === "most" ? null : String(rule.stake / 10 ** decimalsOf(money)),
      })),
    );
  };
  const stakes = isStrategy ? rules.flatMap(one => one.stake ?? []) : bets.map(bet => bet.stake);
  const ready =
    amountTyped(bankroll, money) !== null &&
    /^\d+$/.test(rounds) &&
    stakes.every(stake => amountTyped(stake, money) !== null);
  const find = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setWrong(null);
    const typed = (stake: string): number => amountTyped(stake, money) ?? 0;
    try {
      const body = {
        readings: byName(under.reading),
        options: byName(under.option),
        bets: isStrategy ? [] : bets.map(bet => ({ wager: bet.wager, stake: typed(bet.stake) })),
        rules: isStrategy
          ? rules.map(({ rule, stake }) => ({ ...rule, stake: stake === null ? ("most" as const) : typed(stake) }))
          : [],
        bankroll: typed(bankroll),
        rounds: Number(rounds),
      };
      setFound(
        await unwrap(api.POST("/api/v1/books/{book_id}/session", { params: { path: { book_id: book.book } }, body })),
      );
    } catch (thrown) {
      setFound(null);
      setWrong(problemWords(asProblem(thrown)));
    }
    setBusy(false);
  };
  return (
    <Section id="session" title={t.title} lead={t.lead}>
      <form class="session-form" onSubmit={find}>
        {strategies.length > 0 && (
          <Choice
            label={t.play}
            value={strategy}
            options={[
              { value: BETS, name: t.sameBets },
              ...strategies.map(one => ({ value: one.strategy, name: named(one.name) })),
            ]}
            onValue={choose}
          />
        )}
        {isStrategy ? (
          <RuleRows book={book} rules={rules} onRules={setRules} />
        ) : (
          <BetRows book={book} bets={bets} onBets={setBets} />
        )}
        <div class="session-line">
          <Field label={t.bankroll} value={bankroll} onValue={setBankroll} inputMode="decimal" />
          <Field
            label={isStrategy ? t.rolls : t.rounds}
            value={rounds}
            onValue={setRounds}
            inputMode="numeric"
            error={wrong}
          />
          <Button type="submit" busy={busy} disabled={!ready}>
            {t.calculate}
          </Button>
        </div>
      </form>
      {found !== null && <Result found={found} money={money} isStrategy={isStrategy} />}
    </Section>
  );
}

function BetRows({ book, bets, onBets }: { book: BookPage; bets: readonly Bet[]; onBets: (bets: Bet[]) => void }) {
  const t = booksWords().analysis.session;
  const options = book.wagers.map(one => ({ value: one.wager, name: named(one.name) }));
  const change = (place: number, changed: Partial<Bet>): void =>
    onBets(bets.map((bet, index) => (index === place ? { ...bet, ...changed } : bet)));
  const add = (): void => {
    const next = options.find(one => bets.every(bet => bet.wager !== one.value)) ?? options[0];
    if (next) onBets([...bets, { wager: next.value, stake: FIRST_STAKE }]);
  };
  return (
    <>
      {bets.map((bet, place) => (
        <div key={place} class="session-line">
          <Choice
            label={booksWords().analysis.wager}
            value={bet.wager}
            options={options}
            onValue={value => change(place, { wager: value })}
          />
          <Field
            label={t.stake}
            value={bet.stake}
            onValue={value => change(place, { stake: value })}
            inputMode="decimal"
          />
          {bets.length > 1 && (
            <Button
              tone="quiet"
              onClick={() => onBets(bets.filter((_, index) => index !== place))}
              aria-label={t.removeBet(options.find(one => one.value === bet.wager)?.name ?? bet.wager)}
            >
              {t.remove}
            </Button>
          )}
        </div>
      ))}
      <div>
        <Button tone="quiet" onClick={add}>
          {t.addBet}
        </Button>
      </div>
    </>
  );
}

interface RuleRowsProps {
  book: BookPage;
  rules: readonly TypedRule[];
  onRules: (rules: TypedRule[]) => void;
}

function RuleRows({ book, rules, onRules }: RuleRowsProps) {
  const t = booksWords().analysis.session;
  return (
    <ul class="session-rules">
      {rules.map(({ rule, stake }, place) => {
        const name = ruleName(book, rule.wager);
        const change = (value: string): void =>
          onRules(rules.map((one, index) => (index === place ? { ...one, stake: value } : one)));
        return (
          <li key={rule.wager} class="session-line">
            {stake === null ? (
              <p>
                {name}: {t.most}
              </p>
            ) : (
              <Field label={t.stakeOn(name)} value={stake} onValue={change} inputMode="decimal" />
            )}
            {(rule.at_once ?? 1) > 1 && <span class="soft">{t.atOnce(rule.at_once ?? 1)}</span>}
            {rule.on && <span class="soft">{t.on[rule.on]}</span>}
          </li>
        );
      })}
    </ul>
  );
}

/** The name of a bet, or of its family: that of its first bet without the selection. */
function ruleName(book: BookPage, id: string): string {
  const wager = book.wagers.find(one => one.wager === id);
  if (wager) return named(wager.name);
  const first = book.wagers.find(one => one.family === id);
  return first
    ? named(first.name)
        .replace(first.selection ?? "", "")
        .trim()
    : id;
}

function Result({ found, money, isStrategy }: { found: Found; money: string; isStrategy: boolean }) {
  const t = booksWords().analysis.session;
  const [low, high] = [found.percentiles["5"] ?? 0, found.percentiles["95"] ?? 0];
  const file = `session-${found.book}`;
  const facts: [string, string | number][] = [
    [t.bankroll, found.bankroll],
    [isStrategy ? t.rolls : t.rounds, found.rounds],
    [t.ahead, found.ahead.value],
    [t.ruined, found.ruined.value],
    [t.mean, found.mean.value],
    [t.deviation, found.standard_deviation],
    [t.lasting, found.expected_rounds.value],
    [t.method, t.methods[found.method]],
    ...Object.entries(found.percentiles).map(([percent, net]): [string, number] => [`${percent}%`, net]),
  ];
  return (
    <div class="session-result" role="status">
      <Facts>
        <Fact name={t.ahead}>{percentage(found.ahead.value)}</Fact>
        <Fact name={t.ruined}>{percentage(found.ruined.value)}</Fact>
        <Fact name={t.mean}>
          <Amount minor={Math.round(found.mean.value)} money={money} signed />
        </Fact>
        <Fact name={t.middle}>
          <Amount minor={low} money={money} signed /> … <Amount minor={high} money={money} signed />
        </Fact>
        <Fact name={isStrategy ? t.lastingRolls : t.lasting}>{rounded(found.expected_rounds.value, 1)}</Fact>
        <Fact name={t.method}>{t.methods[found.method]}</Fact>
      </Facts>
      <div class="small-plots">
        <Area title={t.results} file={`${file}-net`} bins={found.bins} />
        <Line title={isStrategy ? t.ruinByRoll : t.ruinByRound} file={`${file}-ruin`} values={found.ruined_by} />
      </div>
      <Downloads
        file={file}
        about={t.title}
        showAbout
        content={() => ({
          sheets: [
            {
              name: t.results,
              columns: ["low", "high", "probability"],
              rows: found.bins.map(bin => [bin.low, bin.high, bin.probability]),
            },
            { name: t.title, columns: ["figure", "value"], rows: facts },
            {
              name: t.ruinByRound,
              columns: ["round", "probability"],
              rows: found.ruined_by.map((chance, place) => [place + 1, chance]),
            },
          ],
          data: found,
        })}
      />
    </div>
  );
}

/** What becomes of a bankroll: the same bet round after round, worked out by the server. */

import { useState } from "preact/hooks";
import { api, told } from "../../api/client";
import { asProblem } from "../../api/problems";
import type { components } from "../../api/schema";
import type { BookPage, WagerEntry } from "../../api/types";
import { Amount } from "../../components/amount";
import { Button } from "../../components/button";
import { Fact, Facts } from "../../components/facts";
import { Choice, Field } from "../../components/field";
import { problemWords } from "../../components/problem-note";
import { Section } from "../../components/section";
import { named } from "../../i18n";
import { booksWords } from "../../i18n/words/books";
import { amountTyped } from "../../money/amounts";
import { percentage, rounded } from "../../money/figures";
import { byName, type Under } from "../../shell/book-choices";
import { Downloads } from "./downloads";
import { Area, Line } from "./small-plots";

type Found = components["schemas"]["SessionFound"];

export function SessionExplorer({ book, wager, under }: { book: BookPage; wager: WagerEntry; under: Under }) {
  const say = booksWords().analysis.session;
  const money = book.identity.currency;
  const [chosen, setChosen] = useState(wager.wager);
  const [stake, setStake] = useState("5");
  const [bankroll, setBankroll] = useState("100");
  const [rounds, setRounds] = useState("60");
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const [found, setFound] = useState<Found | null>(null);
  const [staked, brought] = [amountTyped(stake, money), amountTyped(bankroll, money)];
  const find = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setWrong(null);
    try {
      const body = {
        readings: byName(under.reading),
        options: byName(under.option),
        bets: [{ wager: chosen, stake: staked ?? 0 }],
        bankroll: brought ?? 0,
        rounds: Number(rounds),
      };
      setFound(
        await told(api.POST("/api/v1/books/{book_id}/session", { params: { path: { book_id: book.book } }, body })),
      );
    } catch (thrown) {
      setFound(null);
      setWrong(problemWords(asProblem(thrown)));
    }
    setBusy(false);
  };
  return (
    <Section id="session" title={say.title} lead={say.lead}>
      <form class="session-form" onSubmit={find}>
        <Choice
          label={booksWords().analysis.wager}
          value={chosen}
          options={book.wagers.map(one => ({ value: one.wager, name: named(one.name) }))}
          onValue={setChosen}
        />
        <Field label={say.stake} value={stake} onValue={setStake} inputMode="decimal" />
        <Field label={say.bankroll} value={bankroll} onValue={setBankroll} inputMode="decimal" />
        <Field label={say.rounds} value={rounds} onValue={setRounds} inputMode="numeric" error={wrong} />
        <Button type="submit" busy={busy} disabled={staked === null || brought === null || !/^\d+$/.test(rounds)}>
          {say.calculate}
        </Button>
      </form>
      {found !== null && <Result found={found} money={money} />}
    </Section>
  );
}

function Result({ found, money }: { found: Found; money: string }) {
  const say = booksWords().analysis.session;
  const [low, high] = [found.percentiles["5"] ?? 0, found.percentiles["95"] ?? 0];
  return (
    <div class="session-result" role="status">
      <Facts>
        <Fact name={say.ahead}>{percentage(found.ahead.value)}</Fact>
        <Fact name={say.ruined}>{percentage(found.ruined.value)}</Fact>
        <Fact name={say.mean}>
          <Amount minor={Math.round(found.mean.value)} money={money} signed />
        </Fact>
        <Fact name={say.middle}>
          <Amount minor={low} money={money} signed /> … <Amount minor={high} money={money} signed />
        </Fact>
        <Fact name={say.lasting}>{rounded(found.expected_rounds.value, 1)}</Fact>
        <Fact name={say.method}>{say.methods[found.method]}</Fact>
      </Facts>
      <div class="small-plots">
        <Area title={say.results} bins={found.bins} />
        <Line title={say.ruinByRound} values={found.ruined_by} />
      </div>
      <Downloads
        name={`session-${found.book}`}
        columns={["low", "high", "probability"]}
        rows={found.bins.map(bin => [bin.low, bin.high, bin.probability])}
        data={found}
      />
    </div>
  );
}

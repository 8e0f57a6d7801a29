/** Requests the pays closest to given targets, and shows them with the proof that none is closer. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { asProblem } from "../../api/problems";
import type { components } from "../../api/schema";
import type { WagerEntry } from "../../api/types";
import { Button } from "../../components/button";
import { Downloads } from "../../components/downloads";
import { Fact, Facts } from "../../components/facts";
import { Choice, Field } from "../../components/field";
import { problemWords } from "../../components/problem-note";
import { ScrollRegion } from "../../components/scroll-region";
import { gap, labelled, sentences } from "../../i18n";
import { booksWords } from "../../i18n/words/books";
import { percentage, rounded } from "../../money/figures";
import { oddsWords } from "../../money/odds";

type Designed = components["schemas"]["Designed"];

interface TargetsProps {
  book: string;
  wager: WagerEntry;
  paytable: string | null;
  readings: Record<string, string>;
  options: Record<string, string>;
  /** By row, the odds of the proposal. */
  onFound: (pays: Record<string, string>) => void;
}

/** The denominators allowed in the odds: x to y, with y up to this. */
const DENOMINATORS = ["1", "2", "5", "6", "10", "20"] as const;

export function Targets({ book, wager, onFound, ...about }: TargetsProps) {
  const t = booksWords().analysis;
  const [edge, setEdge] = useState("");
  const [hits, setHits] = useState("");
  const [variance, setVariance] = useState("");
  const [denominators, setDenominators] = useState<string>("1");
  const [ladder, setLadder] = useState<"rising" | "any">("rising");
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const [found, setFound] = useState<Designed | null>(null);
  const spread = Number(variance);
  const find = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setWrong(null);
    setFound(null);
    try {
      const designed = await unwrap(
        api.POST("/api/v1/books/{book_id}/design", {
          params: { path: { book_id: book } },
          body: {
            ...about,
            wager: wager.wager,
            target_edge: edge,
            ...(hits.trim() === "" ? {} : { hit_frequency: hits }),
            ...(variance.trim() === "" ? {} : { variance: spread }),
            denominators: Number(denominators),
            rising: ladder === "rising",
          },
        }),
      );
      // For a hit frequency some rows no longer pay.
      const losing = Object.keys(designed.proof.hit_frequencies).filter(row => !(row in designed.pays));
      onFound({ ...Object.fromEntries(losing.map(row => [row, "lose"])), ...designed.pays });
      setFound(designed);
    } catch (thrown) {
      setWrong(problemWords(asProblem(thrown)));
    }
    setBusy(false);
  };
  return (
    <>
      <form class="target" onSubmit={find}>
        <Field label={t.target} value={edge} onValue={setEdge} hint={t.targetHint} error={wrong} />
        <Field label={t.hitFrequency} value={hits} onValue={setHits} hint={t.optionalHint("20%")} />
        <Field
          label={t.variance}
          value={variance}
          onValue={setVariance}
          hint={t.optionalHint("30")}
          inputMode="decimal"
        />
        <Choice
          label={t.oddsUpTo}
          value={denominators}
          options={DENOMINATORS.map(one => ({ value: one as string, name: t.oddsLike(one) }))}
          onValue={setDenominators}
        />
        {wager.rows.length > 2 && (
          <Choice
            label={t.ladder}
            value={ladder}
            options={[
              { value: "rising", name: t.ladderRising },
              { value: "any", name: t.ladderAny },
            ]}
            onValue={setLadder}
          />
        )}
        <Button type="submit" busy={busy} disabled={edge.trim() === "" || !(variance.trim() === "" || spread > 0)}>
          {t.find}
        </Button>
      </form>
      {found !== null && <Proposal found={found} wager={wager} />}
    </>
  );
}

function Proposal({ found, wager }: { found: Designed; wager: WagerEntry }) {
  const t = booksWords().analysis;
  const { proof } = found;
  const when = (row: string): string => wager.wins[row] ?? row;
  const facts: [string, string, number | string][] = [
    [t.proposal.target, percentage(found.target_edge.value), found.target_edge.value],
    [t.edge, percentage(found.house_edge.value), found.house_edge.value],
    [t.proposal.offBy, percentage(found.off_by.value, { signed: true }), found.off_by.value],
    [t.hitFrequency, percentage(found.hit_frequency.value), found.hit_frequency.value],
    [t.variance, rounded(found.variance.value, 4), found.variance.value],
  ];
  const rows = Object.entries(found.pays).map(([row, pays]) => ({
    row,
    pays,
    others: found.steps.filter(step => step.row === row),
    between: proof.between[row] ?? [],
  }));
  return (
    <div class="proposal" role="status">
      <Facts>
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </Facts>
      <ScrollRegion label={t.proposal.title}>
        <table class="stacks">
          <caption class="unseen">{t.proposal.title}</caption>
          <thead>
            <tr>
              <th scope="col">{t.row}</th>
              <th scope="col">{t.proposal.pays}</th>
              <th scope="col">{t.proposal.others}</th>
              <th scope="col">{t.proposal.examined}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, pays, others, between }) => (
              <tr key={row}>
                <td>{when(row)}</td>
                <td data-name={t.proposal.pays}>
                  <strong>{oddsWords(pays)}</strong>
                </td>
                <td data-name={t.proposal.others}>
                  <ul class="book-lines">
                    {others.map(step => (
                      <li key={step.pays} title={step.house_edge.exact}>
                        {labelled(oddsWords(step.pays))}
                        {percentage(step.house_edge.value)}
                      </li>
                    ))}
                  </ul>
                </td>
                <td data-name={t.proposal.examined}>{between.map(oddsWords).join(" … ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p class="proof">
        <strong>{t.proposal.proof}</strong>
        {gap()}
        {proofWords(found)}
      </p>
      <HitFrequencies found={found} when={when} />
      <Downloads
        file={`design-${found.wager.replace("/", "-")}`}
        about={t.proposal.title}
        showAbout
        content={() => ({
          sheets: [
            {
              name: t.proposal.title,
              columns: ["row", "pays", "examined from", "examined to"],
              rows: rows.map(one => [one.row, one.pays, one.between[0] ?? null, one.between[1] ?? null]),
            },
            { name: t.edge, columns: ["figure", "value"], rows: facts.map(([name, , value]) => [name, value]) },
            {
              name: t.proposal.others,
              columns: ["row", "pays", "house edge"],
              rows: found.steps.map(step => [step.row, step.pays, step.house_edge.value]),
            },
            { name: t.proposal.proof, columns: ["proof"], rows: [[proofWords(found)]] },
          ],
          data: found,
        })}
      />
    </div>
  );
}

/** The frequency with each row as the lowest that pays: why these rows pay and the others don't. */
function HitFrequencies({ found, when }: { found: Designed; when: (row: string) => string }) {
  const t = booksWords().analysis.proposal;
  const several = Object.entries(found.proof.hit_frequencies);
  if (several.length === 0) return null;
  return (
    <p class="soft">
      {sentences(t.hits, several.map(([row, share]) => `${when(row)} ${percentage(decimalOf(share))}`).join(" · "))}
    </p>
  );
}

function decimalOf(fraction: string): number {
  const [above = "0", below = "1"] = fraction.split("/");
  return Number(above) / Number(below);
}

function proofWords({ proof }: Designed): string {
  const t = booksWords().analysis.proposal;
  const [low = "", high = ""] = Object.values(proof.between)[0] ?? [];
  if (proof.reason === "neighbours") return t.proofOne(oddsWords(low), oddsWords(high));
  if (proof.reason === "all") return t.proofAll(proof.examined);
  const why = proof.reason === "met" ? t.proofMet : t.proofLattice(proof.edge_step);
  return sentences(why, proof.steps > 1 && t.proofFewer(proof.steps), t.proofWithin(proof.examined, proof.steps));
}

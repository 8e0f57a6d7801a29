/** A past round: its dice, its lit layout, and how one's own bets were settled. */

import { api, unwrap } from "../../api/client";
import type { BookPage } from "../../api/types";
import { useRequest } from "../../api/use-request";
import { Dialog } from "../../components/dialog";
import { Dice, totalOf } from "../../components/dice";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { gap, words } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import { Layout } from "../../layout/layout";
import { address } from "../../shell/router";
import { Dispute } from "./dispute";
import { SettlementLines } from "./past-settlements";

interface PastRoundDialogProps {
  table: string;
  round: number | null;
  book: BookPage;
  money: string;
  paytables: Record<string, string | null>;
  /** The viewer: their lines have their name. */
  player: string | null;
  /** Rounds that are disputed. */
  disputed: readonly number[];
  onClose: () => void;
}

export function PastRoundDialog(props: PastRoundDialogProps) {
  return (
    <Dialog open={props.round !== null} title={playWords().play.recall(props.round ?? 0)} onClose={props.onClose}>
      {props.round !== null && <Recalled {...props} round={props.round} />}
    </Dialog>
  );
}

function Recalled({
  table,
  round,
  book,
  money,
  paytables,
  player,
  disputed,
}: PastRoundDialogProps & { round: number }) {
  const t = words();
  const path = { table, number: round };
  const { response, reload } = useRequest(
    () => unwrap(api.GET("/api/v1/tables/{table}/rounds/{number}", { params: { path } })),
    [table, round],
  );
  if (response.state === "loading") return <Waiting />;
  if (response.state === "failed") return <ProblemNote problem={response.problem} retry={reload} />;
  const past = response.data;
  const own = past.lines.filter(line => player !== null && line.player === player);
  return (
    <div class="recall">
      <p class="recall-dice">
        <Dice faces={past.dice} size={44} />
        {past.void ? <strong>{playWords().lobby.void}</strong> : <strong>{t.table.total(totalOf(past.dice))}</strong>}
      </p>
      {own.length > 0 && <SettlementLines lines={own} book={book} money={money} caption={playWords().play.yours} />}
      {own.length > 0 && <Dispute table={table} round={round} disputed={disputed.includes(round)} />}
      <Layout book={book} info={false} showing={{ lit: new Set(past.lit), money, paytables }} />
      <p class="soft">
        {t.shell.dicegovern}
        {gap()}
        <a href={address`/tables/${table}/rounds/${round}`}>{playWords().past.asPage}</a>
      </p>
    </div>
  );
}

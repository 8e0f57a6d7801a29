/** A player's own limits: tighter ones apply at once, looser ones are delayed and can be withdrawn. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { HeldLimits } from "../../api/types";
import { useRequest } from "../../api/use-request";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Form } from "../../components/form";
import { useSubmission } from "../../components/form-submission";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { Timestamp } from "../../components/timestamps";
import { locale } from "../../i18n";
import { accountWords } from "../../i18n/words/account";
import { amountText, amountTyped, currencyOf, decimalsOf, isPlayMoney } from "../../money/amounts";
import { isStake, moneyOf, SECONDS, STAKE } from "../../money/limits";
import { setLimits } from "../../shell/session";
import { Card } from "./parts";

/** A limit, part by part; a part without a limit is missing. */
type Parts = Readonly<Record<string, number>>;

export function OwnLimits({ limits }: { limits: HeldLimits }) {
  const t = accountWords();
  const tables = useRequest(() => unwrap(api.GET("/api/v1/tables")), []);
  if (tables.response.state === "loading") return <Waiting />;
  const automatic = tables.response.state === "loaded" ? tables.response.data.filter(one => one.automatic) : [];
  const { loss_per_day, stake_at_once } = limits.holding;
  const limited = [...Object.keys(loss_per_day ?? {}), ...Object.keys(stake_at_once ?? {})];
  const monies = new Set([...automatic.map(one => one.money), ...limited]);
  return (
    <Card title={t.limits} lead={t.limitsLead}>
      {limits.pending.length > 0 && <Waits limits={limits} />}
      <Wanted key={JSON.stringify(limits)} limits={limits} monies={[...monies].sort()} />
    </Card>
  );
}

function held(limits: HeldLimits): Parts {
  const { loss_per_day, seconds_per_day, stake_at_once } = limits.holding;
  const stakes = Object.entries(stake_at_once ?? {}).map(([money, value]) => [STAKE + money, value] as const);
  return {
    ...loss_per_day,
    ...Object.fromEntries(stakes),
    ...(seconds_per_day == null ? {} : { [SECONDS]: seconds_per_day }),
  };
}

function partText(part: string, value: number | null | undefined): string {
  const t = accountWords();
  if (value === null || value === undefined) return t.noLimit;
  return part === SECONDS ? t.minutes(Math.floor(value / 60)) : amountText(value, moneyOf(part), locale.value);
}

function partName(part: string): string {
  const t = accountWords();
  if (part === SECONDS) return t.timeLimit;
  const currency = currencyOf(moneyOf(part));
  const money = isPlayMoney(moneyOf(part)) ? t.playOf(currency) : t.realOf(currency);
  return isStake(part) ? t.stakeLimit(money) : t.lossLimit(money);
}

/** The limit to be loosened, when, and how to withdraw that. */
function Waits({ limits }: { limits: HeldLimits }) {
  const t = accountWords();
  const submission = useSubmission();
  const now = held(limits);
  const keep = async (): Promise<void> => setLimits(await unwrap(api.DELETE("/api/v1/me/limits/pending")));
  return (
    <div class="note">
      <strong>{t.waits}</strong>
      <ul class="own-waits">
        {limits.pending.map(one => (
          <li key={one.part}>
            {partName(one.part)}: {t.change(partText(one.part, now[one.part]), partText(one.part, one.value))}{" "}
            <span class="soft">
              {t.since} <Timestamp at={one.since} />
            </span>
          </li>
        ))}
      </ul>
      {submission.problem && <ProblemNote problem={submission.problem} />}
      <Button busy={submission.busy} onClick={() => void submission.submit(keep, t.kept)}>
        {t.keep}
      </Button>
    </div>
  );
}

/** As typed: units and minutes. */
function typed(part: string, value: number | null | undefined): string {
  if (value === null || value === undefined) return "";
  if (part === SECONDS) return String(Math.floor(value / 60));
  const decimals = decimalsOf(moneyOf(part));
  return (value / 10 ** decimals).toFixed(decimals);
}

/** The typed value, in minor units or seconds; null if empty, undefined if invalid. */
function read(part: string, text: string): number | null | undefined {
  if (text.trim() === "") return null;
  if (part !== SECONDS) return amountTyped(text, moneyOf(part)) ?? undefined;
  return /^\d{1,4}$/.test(text.trim()) && Number(text) <= 1_440 ? Number(text) * 60 : undefined;
}

function Wanted({ limits, monies }: { limits: HeldLimits; monies: readonly string[] }) {
  const t = accountWords();
  const submission = useSubmission();
  const now = held(limits);
  const parts = [...monies.flatMap(money => [STAKE + money, money]), SECONDS];
  const waiting = new Map(limits.pending.map(one => [one.part, one.value]));
  const [texts, setTexts] = useState<Record<string, string>>(() =>
    Object.fromEntries(parts.map(part => [part, typed(part, waiting.has(part) ? waiting.get(part) : now[part])])),
  );
  const wanted = (part: string): number | null | undefined => read(part, texts[part] ?? "");
  const wrong = parts.some(part => wanted(part) === undefined);
  const looser = (part: string): boolean => {
    const [old, next] = [now[part], wanted(part)];
    return old !== undefined && next !== undefined && (next === null || next > old);
  };
  const save = async (): Promise<void> => {
    const amounts = (kind: string): Parts => {
      const entered = monies.map(money => [money, wanted(kind + money)] as const);
      return Object.fromEntries(entered.filter((one): one is readonly [string, number] => one[1] != null));
    };
    const body = { loss_per_day: amounts(""), seconds_per_day: wanted(SECONDS) ?? null, stake_at_once: amounts(STAKE) };
    setLimits(await unwrap(api.PUT("/api/v1/me/limits", { body })));
  };
  return (
    <Form
      class="own-form"
      onSend={() => {
        if (!wrong) void submission.submit(save, parts.some(looser) ? t.limitsWait : t.limitsHold);
      }}
    >
      {parts.map(part => (
        <Field
          key={part}
          label={partName(part)}
          inputMode={part === SECONDS ? "numeric" : "decimal"}
          value={texts[part] ?? ""}
          onValue={text => setTexts({ ...texts, [part]: text })}
          placeholder={t.noLimit}
          hint={`${t.holds(partText(part, now[part]))}${looser(part) && wanted(part) !== waiting.get(part) ? ` ${t.looser}` : ""}`}
          error={wanted(part) === undefined ? (part === SECONDS ? t.noMinutes : t.noAmount) : null}
        />
      ))}
      {submission.problem && <ProblemNote problem={submission.problem} />}
      <Button type="submit" tone="main" busy={submission.busy} disabled={wrong}>
        {t.setLimits}
      </Button>
    </Form>
  );
}

/** Exports of the journal for other programs: record, days, format. */

import { useState } from "preact/hooks";
import { Button } from "../../components/button";
import { Choice, Field } from "../../components/field";
import { Section } from "../../components/section";
import { auditWords } from "../../i18n/words/audit";
import { address } from "../../shell/router";
import { recordName } from "./formatting";

const SHEETS = ["entries", "postings", "settlements"] as const;
const FORMATS = ["csv", "json-lines", "parquet"] as const;

export function Exports({ tables }: { tables: readonly string[] }) {
  const t = auditWords().exports;
  const [table, setTable] = useState("");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const wrong = from !== "" && to !== "" && from > to;
  const query = (format: string): string => {
    const query = new URLSearchParams({ format });
    if (table !== "") query.set("table", table);
    if (from !== "") query.set("from", from);
    if (to !== "") query.set("to", to);
    return `?${query}`;
  };
  return (
    <Section id="exports" title={t.title} lead={t.lead}>
      <div class="audit-choose">
        <Choice
          label={t.record}
          value={table}
          options={[{ value: "", name: t.all }, ...tables.map(one => ({ value: one, name: recordName(one) }))]}
          onValue={setTable}
        />
        <Field label={t.from} type="date" value={from} onValue={setFrom} error={wrong ? t.wrong : null} />
        <Field label={t.to} type="date" value={to} onValue={setTo} />
      </div>
      <ul class="audit-sheets">
        {SHEETS.map(sheet => (
          <li key={sheet}>
            <span>{t.sheets[sheet]}</span>
            <span class="audit-acts">
              {FORMATS.map(format =>
                wrong ? (
                  <Button key={format} disabled>
                    {t.formats[format]}
                  </Button>
                ) : (
                  <a
                    key={format}
                    class="button button-plain"
                    href={address`/api/v1/exports/${sheet}` + query(format)}
                    download
                    aria-label={t.download(t.sheets[sheet], t.formats[format])}
                  >
                    {t.formats[format]}
                  </a>
                ),
              )}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

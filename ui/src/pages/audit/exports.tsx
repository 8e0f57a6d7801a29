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
  const say = auditWords().exports;
  const [table, setTable] = useState("");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const wrong = from !== "" && to !== "" && from > to;
  const query = (format: string): string => {
    const asked = new URLSearchParams({ format });
    if (table !== "") asked.set("table", table);
    if (from !== "") asked.set("from", from);
    if (to !== "") asked.set("to", to);
    return `?${asked}`;
  };
  return (
    <Section id="exports" title={say.title} lead={say.lead}>
      <div class="audit-choose">
        <Choice
          label={say.record}
          value={table}
          options={[{ value: "", name: say.all }, ...tables.map(one => ({ value: one, name: recordName(one) }))]}
          onValue={setTable}
        />
        <Field label={say.from} type="date" value={from} onValue={setFrom} error={wrong ? say.wrong : null} />
        <Field label={say.to} type="date" value={to} onValue={setTo} />
      </div>
      <ul class="audit-sheets">
        {SHEETS.map(sheet => (
          <li key={sheet}>
            <span>{say.sheets[sheet]}</span>
            <span class="audit-acts">
              {FORMATS.map(format =>
                wrong ? (
                  <Button key={format} disabled>
                    {say.formats[format]}
                  </Button>
                ) : (
                  <a
                    key={format}
                    class="button button-plain"
                    href={address`/api/v1/exports/${sheet}` + query(format)}
                    download
                    aria-label={say.download(say.sheets[sheet], say.formats[format])}
                  >
                    {say.formats[format]}
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

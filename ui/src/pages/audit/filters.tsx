/** The form with the filters of a record; its values go into the URL. */

import { useState } from "preact/hooks";
import { Button } from "../../components/button";
import { Choice, Field } from "../../components/field";
import { Form } from "../../components/form";
import { locale } from "../../i18n";
import { auditWords } from "../../i18n/words/audit";
import { go } from "../../shell/router";
import { type Filters, isFiltered, journalAddress, NO_FILTERS } from "./entry-filters";
import { HOUSE, kindName } from "./formatting";

export function FilterForm({ table, filters }: { table: string; filters: Filters }) {
  const t = auditWords().journal;
  const [typed, setTyped] = useState(filters);
  const [tried, setTried] = useState(false);
  const put = (name: keyof Filters) => (value: string) => setTyped({ ...typed, [name]: value });
  const wrongRound = typed.round !== "" && !/^[1-9]\d{0,14}$/.test(typed.round.trim());
  const wrongTimes = typed.from !== "" && typed.to !== "" && typed.from >= typed.to;
  const kinds = Object.keys(table === HOUSE ? auditWords().houseKinds : auditWords().kinds);
  const known = kinds.includes(typed.kind) || typed.kind === "" ? kinds : [typed.kind, ...kinds];
  const byName = new Intl.Collator(locale.value).compare;
  return (
    <Form
      class="audit-filters"
      role="search"
      onSend={() => {
        setTried(true);
        if (!wrongRound && !wrongTimes) go(journalAddress(table, typed));
      }}
    >
      <Choice
        label={t.kind}
        value={typed.kind}
        options={[
          { value: "", name: t.anyKind },
          ...known.map(kind => ({ value: kind, name: kindName(kind, table) })).sort((a, b) => byName(a.name, b.name)),
        ]}
        onValue={put("kind")}
      />
      {table !== HOUSE && (
        <Field
          label={t.round}
          inputMode="numeric"
          value={typed.round}
          onValue={put("round")}
          error={tried && wrongRound ? t.wrongRound : null}
        />
      )}
      <Field
        label={t.person}
        value={typed.person}
        onValue={put("person")}
        autocapitalize="none"
        maxLength={200}
        placeholder={t.personHint}
      />
      <Field
        label={t.text}
        type="search"
        value={typed.text}
        onValue={put("text")}
        maxLength={200}
        placeholder={t.textHint}
      />
      <Field
        label={t.from}
        type="datetime-local"
        value={typed.from}
        onValue={put("from")}
        error={tried && wrongTimes ? t.wrongTimes : null}
      />
      <Field label={t.to} type="datetime-local" value={typed.to} onValue={put("to")} />
      <div class="audit-acts">
        <Button type="submit" tone="main">
          {t.go}
        </Button>
        {isFiltered(filters) && (
          <Button
            tone="quiet"
            onClick={() => {
              setTyped(NO_FILTERS);
              go(journalAddress(table, {}));
            }}
          >
            {t.clear}
          </Button>
        )}
      </div>
    </Form>
  );
}

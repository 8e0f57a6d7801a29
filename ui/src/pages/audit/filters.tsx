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
  const say = auditWords().journal;
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
        label={say.kind}
        value={typed.kind}
        options={[
          { value: "", name: say.anyKind },
          ...known.map(kind => ({ value: kind, name: kindName(kind, table) })).sort((a, b) => byName(a.name, b.name)),
        ]}
        onValue={put("kind")}
      />
      <Field
        label={say.person}
        value={typed.person}
        onValue={put("person")}
        autocapitalize="none"
        maxLength={200}
        placeholder={say.personHint}
      />
      {table !== HOUSE && (
        <Field
          label={say.round}
          inputMode="numeric"
          value={typed.round}
          onValue={put("round")}
          error={tried && wrongRound ? say.wrongRound : null}
        />
      )}
      <Field
        label={say.text}
        type="search"
        value={typed.text}
        onValue={put("text")}
        maxLength={200}
        placeholder={say.textHint}
      />
      <Field
        label={say.from}
        type="datetime-local"
        value={typed.from}
        onValue={put("from")}
        error={tried && wrongTimes ? say.wrongTimes : null}
      />
      <Field label={say.to} type="datetime-local" value={typed.to} onValue={put("to")} />
      <div class="audit-acts">
        <Button type="submit" tone="main">
          {say.go}
        </Button>
        {isFiltered(filters) && (
          <Button
            tone="quiet"
            onClick={() => {
              setTyped(NO_FILTERS);
              go(journalAddress(table, {}));
            }}
          >
            {say.clear}
          </Button>
        )}
      </div>
    </Form>
  );
}

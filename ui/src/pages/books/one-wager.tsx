/** One bet in detail: designer, results, state diagram. */

import type { BookPage, WagerEntry, WagerFigures } from "../../api/types";
import { Choice } from "../../components/field";
import { Section } from "../../components/section";
import { apiLanguage, named, words } from "../../i18n";
import { booksWords } from "../../i18n/words/books";
import { asAddress, type BookChoices } from "../../shell/book-choices";
import { address } from "../../shell/router";
import { Designer } from "./designer";
import { Bands } from "./small-plots";

interface OneWagerProps {
  book: BookPage;
  wager: WagerEntry;
  under: BookChoices;
  figures: WagerFigures | undefined;
  onWager: (wager: string) => void;
}

export function OneWager({ book, wager, under, figures, onWager }: OneWagerProps) {
  const t = booksWords().analysis;
  const diagram =
    address`/api/v1/books/${book.book}/machine` +
    asAddress({ reading: under.reading, option: under.option }, { wager: wager.wager, lang: apiLanguage.value });
  return (
    <Section id="designer" title={t.designer} lead={t.designerLead}>
      <div class="choices">
        <Choice
          label={t.wager}
          value={wager.wager}
          options={book.wagers.map(one => ({ value: one.wager, name: named(one.name) }))}
          onValue={onWager}
        />
      </div>
      <div class="one-wager">
        <Designer key={`${wager.wager} ${JSON.stringify(under)}`} book={book} wager={wager} under={under} />
        <figure class="machine">
          <figcaption>
            <h3>{t.machine}</h3>
            <p class="soft">{t.machineLead}</p>
          </figcaption>
          <a href={diagram} target="_blank" rel="noreferrer" title={t.openDiagram}>
            <img src={diagram} alt={t.machineOf(named(wager.name))} loading="lazy" />
          </a>
          <a class="button button-quiet" href={diagram} download={`${wager.wager.replace("/", "-")}.svg`}>
            {words().figures.downloadOf("SVG", t.machine)}
          </a>
          {figures && (
            <Bands
              title={t.holdBands}
              file={`${wager.wager.replace("/", "-")}-hold`}
              bands={figures.hold_bands}
              edge={figures.house_edge.value}
            />
          )}
        </figure>
      </div>
    </Section>
  );
}

/** What an area pays, at its foot: the whole of it, or its figures where it is narrow; never under a chip. */

import { oddsFigure } from "../money/odds";
import type { Placed, Showing } from "./model";
import { footRoom } from "./stakes";

interface PaysProps {
  placed: Placed;
  showing: Showing;
  pays: string;
}

/** So wide is a letter, as a share of its size. */
const LETTER = 0.56;
const EDGE = 2;

export function Pays({ placed, showing, pays }: PaysProps) {
  if (!pays) return null;
  const { box } = placed;
  const free = footRoom(placed, showing);
  const forms = formsOf(pays);
  const long = ({ text, size }: Form): number => text.length * size * LETTER;
  const fits = (form: Form): boolean => long(form) <= free - 2 * EDGE;
  const form = forms.find(fits) ?? forms.at(-1) ?? { text: pays, size: 9 };
  // Beside a chip on a narrow area the text goes to the left before it loses its words.
  const central = box.width / 2 + long(form) / 2 <= free;
  return (
    <text class="area-pays" x={central ? box.width / 2 : free / 2} y={box.height - 10} font-size={form.size}>
      {form.text}
    </text>
  );
}

interface Form {
  text: string;
  size: number;
}

/** From the whole of it to the least that tells it. */
function formsOf(pays: string): Form[] {
  const figures = pays.includes("/") ? pays.replace(/^1 [^\s/]+ | (to|for) 1$/, "") : oddsFigure(pays);
  const close = figures.replaceAll(" ", "");
  return [
    { text: pays, size: 11.5 },
    { text: pays, size: 9.5 },
    { text: figures, size: 11 },
    { text: close, size: 10 },
    { text: close, size: 9 },
  ];
}

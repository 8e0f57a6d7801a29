/** Files made in the browser: workbooks, drawings and text. Loaded when the first one is requested. */

import { asText, type Cell, type Sheet } from "./table-text";

export type Form = "CSV" | "XLSX" | "JSON" | "SVG";

export interface Content {
  /** The first one becomes the CSV file. */
  sheets: readonly Sheet[];
  /** The content of the JSON file; by default the first sheet. */
  data?: unknown;
  drawing?: SVGSVGElement | string | null;
}

const WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Has the browser save a file. */
export function save(name: string, form: Form, content: Content): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(fileOf(form, content));
  link.download = `${name}.${form.toLowerCase()}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}

function fileOf(form: Form, { sheets, data, drawing }: Content): Blob {
  const first = sheets[0] ?? { name: "", columns: [], rows: [] };
  if (form === "CSV") return new Blob([`\ufeff${asText(first, ",")}\n`], { type: "text/csv" });
  if (form === "XLSX") return new Blob([workbook(sheets)], { type: WORKBOOK });
  if (form === "SVG") {
    const text = typeof drawing === "string" ? drawing : drawing ? standalone(drawing) : "";
    return new Blob([text], { type: "image/svg+xml" });
  }
  const objects = (sheet: Sheet): unknown =>
    sheet.rows.map(row => Object.fromEntries(sheet.columns.map((column, place) => [column, row[place] ?? null])));
  return new Blob([JSON.stringify(data ?? objects(first), null, 2)], { type: "application/json" });
}

// -- workbooks

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

function workbook(sheets: readonly Sheet[]): Uint8Array<ArrayBuffer> {
  const numbers = sheets.map((_, place) => place + 1);
  const relation = (id: number, kind: string, target: string): string =>
    `<Relationship Id="r${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`;
  const relations = (content: string): string =>
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">${content}</Relationships>`;
  const part = (name: string, kind: string): string =>
    `<Override PartName="/xl/${name}" ContentType="${TYPE}.${kind}+xml"/>`;
  return zipped([
    [
      "[Content_Types].xml",
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${part("workbook.xml", "sheet.main")}${numbers.map(number => part(`worksheets/sheet${number}.xml`, "worksheet")).join("")}</Types>`,
    ],
    ["_rels/.rels", relations(relation(1, "officeDocument", "xl/workbook.xml"))],
    [
      "xl/workbook.xml",
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets
        .map(
          ({ name }, place) => `<sheet name="${sheetName(name, place)}" sheetId="${place + 1}" r:id="r${place + 1}"/>`,
        )
        .join("")}</sheets></workbook>`,
    ],
    [
      "xl/_rels/workbook.xml.rels",
      relations(numbers.map(number => relation(number, "worksheet", `worksheets/sheet${number}.xml`)).join("")),
    ],
    ...sheets.map((sheet, place): [string, string] => [`xl/worksheets/sheet${place + 1}.xml`, worksheet(sheet)]),
  ]);
}

/** Returns unique names of at most 31 characters, without those that workbooks forbid. */
function sheetName(name: string, place: number): string {
  return escaped(`${place + 1} ${name.replace(/[[\]:*?/\\']/g, " ")}`.slice(0, 31).trim());
}

function worksheet({ columns, rows }: Sheet): string {
  const cell = (value: Cell): string => {
    if (value === null) return "<c/>";
    if (typeof value === "number" && Number.isFinite(value)) return `<c><v>${value}</v></c>`;
    return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(String(value))}</t></is></c>`;
  };
  const lines = [columns, ...rows].map(line => `<row>${line.map(cell).join("")}</row>`);
  return `${XML}<worksheet xmlns="${MAIN}"><sheetData>${lines.join("")}</sheetData></worksheet>`;
}

function escaped(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll('"', "&quot;")
  );
}

/** Returns a ZIP archive of uncompressed files. */
function zipped(files: readonly (readonly [name: string, text: string])[]): Uint8Array<ArrayBuffer> {
  const encode = new TextEncoder();
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, text] of files) {
    const [path, content] = [encode.encode(name), encode.encode(text)];
    const size = [content.length, 4];
    const common = [0, 2, 0, 2, 0x21, 2, checksum(content), 4, ...size, ...size, path.length, 2, 0, 2];
    const version = [20, 2, 0x0800, 2];
    const local = bytes(0x04034b50, 4, ...version, ...common);
    parts.push(local, path, content);
    directory.push(bytes(0x02014b50, 4, 20, 2, ...version, ...common, 0, 2, 0, 2, 0, 2, 0, 4, offset, 4), path);
    offset += local.length + path.length + content.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = bytes(0x06054b50, 4, 0, 2, 0, 2, files.length, 2, files.length, 2, size, 4, offset, 4, 0, 2);
  const whole = new Uint8Array(offset + size + end.length);
  let at = 0;
  for (const part of [...parts, ...directory, end]) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Pairs of a number and its length in bytes, little-endian. */
function bytes(...pairs: number[]): Uint8Array {
  const found: number[] = [];
  for (let place = 0; place < pairs.length; place += 2) {
    for (let byte = 0; byte < (pairs[place + 1] ?? 0); byte++) found.push(((pairs[place] ?? 0) >>> (8 * byte)) & 255);
  }
  return Uint8Array.from(found);
}

/** CRC-32. */
function checksum(content: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of content) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}

// -- drawings

const LOOK = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-family"];

/** Returns a drawing of the page with its styles inlined, so that it needs no style sheet. */
function standalone(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const [here, there] = [drawing.querySelectorAll("*"), copy.querySelectorAll("*")];
  here.forEach((element, place) => {
    const look = getComputedStyle(element);
    // Patterns defined elsewhere on the page are not in the file.
    for (const name of LOOK) {
      const value = look.getPropertyValue(name);
      there[place]?.setAttribute(name, value.startsWith("url(") ? look.color : value);
    }
    there[place]?.removeAttribute("class");
  });
  const { width, height } = drawing.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return new XMLSerializer().serializeToString(copy);
}

const BAR = { name: 300, width: 400, height: 12 };

/** Draws bars with names and values; a name may have several bars. */
export function barsDrawing(rows: readonly BarRow[], title: string): string {
  const most = Math.max(...rows.flatMap(row => row.bars.map(bar => Math.abs(bar.value))), 1e-9);
  let top = 4;
  const lines = rows.map(({ name, bars }) => {
    const first = top;
    const drawn = bars.map((bar, place) => {
      const width = Math.max((Math.abs(bar.value) / most) * BAR.width, 0.5);
      const fill = bar.value < 0 ? "#a2341f" : place > 0 ? "#a9853b" : "#1f5c43";
      const line = `<rect x="${BAR.name}" y="${top}" width="${width.toFixed(1)}" height="${BAR.height}" fill="${fill}"/><text x="${(BAR.name + width + 6).toFixed(1)}" y="${top + 10}">${escaped(bar.text)}</text>`;
      top += BAR.height + 3;
      return line;
    });
    top += 4;
    return `<text x="${BAR.name - 8}" y="${first + 10}" text-anchor="end">${escaped(name)}</text>${drawn.join("")}`;
  });
  const width = BAR.name + BAR.width + 170;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top}" viewBox="0 0 ${width} ${top}" font-family="sans-serif" font-size="11"><title>${escaped(title)}</title>${lines.join("")}</svg>`;
}

export interface BarRow {
  name: string;
  bars: readonly { value: number; text: string }[];
}

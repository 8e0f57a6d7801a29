/** Names of the house's tables, and of the roles and bets of their books. */

import { useEffect, useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { BookPage, Summary } from "../../api/types";
import { useRequest } from "../../api/use-request";
import { apiLanguage, named, words } from "../../i18n";
import { roleName } from "../../i18n/names";
import { areaName } from "../../layout/model";
import { notedTables, tableLabel, tableName } from "../../live/names";

export interface HouseNames {
  tables: readonly Summary[];
  table: (id: string) => string;
  money: (id: string) => string | null;
  role: (role: string, table: string | null) => string;
  wager: (wager: string, table: string) => string;
}

/** Books are requested only if one of their names is needed: for these tables. */
export function useHouseNames(wanted: readonly string[]): HouseNames {
  const { response } = useRequest(() => unwrap(api.GET("/api/v1/tables")).then(notedTables), []);
  const tables = response.state === "loaded" ? response.data : [];
  const books = useBooks(tables.filter(one => wanted.includes(one.id)).map(one => one.book));
  const bookAt = (id: string): BookPage | undefined => books.get(tables.find(table => table.id === id)?.book ?? "");
  return {
    tables,
    table: id => {
      const table = tables.find(one => one.id === id);
      return table === undefined ? tableLabel(id) : tableName(id, table);
    },
    money: id => tables.find(one => one.id === id)?.money ?? null,
    role: (role, table) => {
      const ours = words().roleNames[role];
      if (ours !== undefined) return ours;
      const found = [...(table === null ? books.values() : [bookAt(table)])]
        .map(book => book?.roles[role])
        .find(one => one !== undefined);
      return found === undefined ? roleName(role) : named(found.name);
    },
    wager: (wager, table) => areaName(bookAt(table) ?? null, wager),
  };
}

function useBooks(ids: readonly string[]): Map<string, BookPage> {
  const [books, setBooks] = useState(new Map<string, BookPage>());
  const lang = apiLanguage.value;
  const key = [...new Set(ids)].sort().join(" ");
  useEffect(() => {
    let wanted = true;
    for (const id of key.split(" ").filter(Boolean)) {
      unwrap(api.GET("/api/v1/books/{book_id}", { params: { path: { book_id: id }, query: { lang } } })).then(
        book => wanted && setBooks(before => new Map(before).set(id, book)),
        () => undefined, // without its book a role or a bet keeps its id
      );
    }
    return () => {
      wanted = false;
    };
  }, [key, lang]);
  return books;
}

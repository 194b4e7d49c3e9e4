export type Page<T> = { items: T[]; next_cursor: string | null };

/** The items of all pages, one after another. The next page is read when you come to it. */
export async function* everyItem<T>(
  readPage: (cursor: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await readPage(cursor);
    yield* page.items;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

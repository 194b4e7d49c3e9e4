import type { ImportRun } from './import-run.ts';
import { findWithoutOrganization } from './source-store.ts';

const mostNamed = 10;

/**
 * Names the services that came in now and say who runs them by an id that nobody knows. They are kept: their organisation may
 * come with another file, and people can use them until then.
 */
export async function noteDangling({ db, author, report, dryRun }: ImportRun): Promise<void> {
  if (dryRun) return;
  const { count, some } = await findWithoutOrganization(db, author.at, mostNamed);
  if (count === 0) return;
  const more = count > some.length ? ` and ${count - some.length} more` : '';
  report.notes.push(
    `These services name an organization_id that the library does not have, and are listed without who runs them: ` +
      `${some.join(', ')}${more}. Import their organisation, or mend the id.`,
  );
}

import type { Db, Notices } from '../database/index.ts';
import { describeError, type Log } from '../log/index.ts';
import { isSetOnMachine, type Settings } from '../settings/index.ts';
import { contactsTopic, findEnteredContacts } from './contacts-store.ts';

/**
 * Puts the contacts that an operator entered into the settings that the environment leaves out. Pages, letters and emails read the
 * settings each time they name somebody, so all of them name the same.
 */
export async function loadContacts(db: Db, settings: Settings): Promise<void> {
  const entered = await findEnteredContacts(db);
  for (const key of ['operatorContact', 'clinicalSafetyContact'] as const)
    if (!isSetOnMachine(settings, key)) settings[key] = entered[key] ?? undefined;
}

/** Loads them again a moment after any process has saved new ones. */
export function followContacts(db: Db, settings: Settings, notices: Notices, log: Log): void {
  const load = () =>
    loadContacts(db, settings).catch((error: unknown) =>
      log.warn({ error: describeError(error) }, 'the contacts of the site could not be read'),
    );
  notices.on(contactsTopic, () => void load());
  notices.onGap(() => void load());
}

import type { Command } from '../../command.ts';

export const migrate: Command = {
  usage: '',
  options: {},
  help: [],
  positionals: [],
  jsonShape: '{ up_to_date: true }',
  openAs: 'new-or-existing',
  // Opening the site has already migrated the database, so there is nothing left to do.
  run: async () => ({ text: 'The database is up to date.', json: { up_to_date: true } }),
};

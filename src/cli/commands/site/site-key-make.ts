import { resolve } from 'node:path';
import { makeKeyFile } from '../../../platform/secrets/index.ts';
import type { StandaloneCommand } from '../../command.ts';

export const siteKeyMake: StandaloneCommand = {
  usage: 'FILE',
  options: {},
  help: [
    'FILE   a new file, which only you may read: 32 random bytes. Run it as the user that runs the site.',
    'Name it in ONWARD_SITE_KEY_FILE, give it to every process of the site, and keep a copy away from the backups.',
  ],
  positionals: ['FILE'],
  jsonShape: '{ file }',
  async runAlone(input) {
    const file = resolve(input.positionals[0]!);
    await makeKeyFile(file);
    return { text: `The new site key is in ${file}. Name it: ONWARD_SITE_KEY_FILE=${file}`, json: { file } };
  },
};

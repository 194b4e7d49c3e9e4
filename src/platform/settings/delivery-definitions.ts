import { define } from './definition.ts';
import { path } from './parsers.ts';

/** By which ways referrals reach services and practices. */
export const deliveryDefinitions = {
  documentDir: define<string | undefined>({
    variable: 'ONWARD_DOCUMENT_DIR',
    parse: path,
    unset: undefined,
    unsetInWords: '`<data dir>/documents`',
    meaning:
      'The folder into which a live site puts letters that are to be printed or filed. Whoever sees to them takes them away.',
    example: '/srv/letters',
  }),
};

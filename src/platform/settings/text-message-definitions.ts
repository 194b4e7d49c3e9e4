import { define } from './definition.ts';
import { path, secureAddress } from './parsers.ts';

/** GOV.UK Notify, by which a site sends text messages. */
export const textMessageDefinitions = {
  smsNotifyKeyFile: define<string | undefined>({
    variable: 'ONWARD_SMS_NOTIFY_KEY_FILE',
    parse: path,
    defaultValue: undefined,
    defaultInWords:
      'unset: a live site sends no text messages, and codes go by email alone (a test site never sends any, and shows them in the outbox)',
    meaning:
      'A file that holds a key of GOV.UK Notify, which sends text messages for councils and the NHS. `docs/operating.md` says how to get one.',
    example: '/etc/onward/notify.key',
    isSecret: true,
  }),
  smsNotifyTemplate: define<string | undefined>({
    variable: 'ONWARD_SMS_NOTIFY_TEMPLATE',
    parse: (raw) => {
      if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(raw))
        throw new Error('must be the id of a template, as Notify shows it');
      return raw.toLowerCase();
    },
    defaultValue: undefined,
    defaultInWords: 'unset (needed with `ONWARD_SMS_NOTIFY_KEY_FILE`)',
    meaning: 'The id of a text message template there whose whole text is `((message))`.',
    example: '5f3b9c1e-8d0a-4c53-9a57-2f1f6f4f0c11',
  }),
  smsNotifyUrl: define<string>({
    variable: 'ONWARD_SMS_NOTIFY_URL',
    parse: secureAddress('GOV.UK Notify'),
    defaultValue: 'https://api.notifications.service.gov.uk',
    meaning: 'Where Notify answers. Change it only to try the site with a stand-in.',
    example: 'http://127.0.0.1:4010',
  }),
};

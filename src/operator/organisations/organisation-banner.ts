import { successBanner } from '../../platform/html/index.ts';

export const organisationDone = successBanner({
  added: 'The organisation is on this site now. Next: enter its details, and invite its people.',
  saved: 'The organisation was saved.',
  renamed: 'The organisation has its new name.',
  merged: 'The two organisations are one now. The other operators get an email about it.',
});

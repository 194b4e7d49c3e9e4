export { randomBytes as newRandomBytes } from 'node:crypto';
export { createSecrets, isSecret, newSecret, type SiteSecrets } from './create-secrets.ts';
export {
  attemptsLeft,
  type CodeState,
  checkCode,
  codeColumns,
  codeValues,
  hasLiveCode,
  makeCode,
  pauseOf,
  whyNoCode,
} from './emailed-code.ts';
export { keyMatchesDatabase, siteKeyFingerprint } from './recognise-site-key.ts';
export { makeKeyFile, makeSiteKey, otherReadersOfKey, readSiteKey } from './site-key.ts';

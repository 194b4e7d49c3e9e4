export { createSecrets, isSecret, newSecret, randomOctets, type SiteSecrets } from './create-secrets.ts';
export { recogniseSiteKey, siteKeyMark } from './recognise-site-key.ts';
export { hasSiteKey, loadSiteKey } from './site-key.ts';

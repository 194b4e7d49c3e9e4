export { createSecrets, isSecret, newSecret, randomOctets, type SiteSecrets } from './create-secrets.ts';
export { recogniseSiteKey } from './recognise-site-key.ts';
export { loadSiteKey } from './site-key.ts';

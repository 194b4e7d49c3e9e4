export { editSitePages } from './edit-site-pages.ts';
export { footer, navigation } from './navigation.ts';
export { homePages } from './pages.ts';
export { securityText } from './security-text.ts';
export { siteTextPages } from './site-pages.ts';

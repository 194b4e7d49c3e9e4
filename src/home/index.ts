export { navigation } from './navigation.ts';
export { homePages } from './pages.ts';
export { securityText } from './security-text.ts';

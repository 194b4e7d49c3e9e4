export { navigation } from './navigation.ts';
export { homePages } from './pages.ts';

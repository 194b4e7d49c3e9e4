export { describeApi } from './openapi.ts';
export { referencePages } from './pages.ts';

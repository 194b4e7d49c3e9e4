export { describeApi, documentOf } from './document/openapi.ts';
export { referencePages } from './pages.ts';

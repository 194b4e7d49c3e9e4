export { followLibrary, type LibraryFollower } from './follow/follow-library.ts';
export { listRoutes as libraryListRoutes } from './lists/routes.ts';
export { searchServices } from './lists/services.ts';
export { type FindForm, pathFrom, readForm } from './pages/find-form.ts';
export { findServices } from './pages/find-services.ts';
export { searchPages } from './pages/pages.ts';
export { readListRequest } from './query/read-request.ts';
export { addSynonym, normalSaying, removeSynonym } from './wording/synonyms.ts';
export { findMeanings, listSynonyms } from './wording/synonyms-store.ts';

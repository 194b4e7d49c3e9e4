export { findWrittenContacts, saveContacts } from './contacts-store.ts';
export { followContacts, loadContacts } from './follow-contacts.ts';

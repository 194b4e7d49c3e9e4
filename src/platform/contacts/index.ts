export { findWrittenContacts, saveContacts, type WrittenContacts } from './contacts-store.ts';
export { followContacts, loadContacts } from './follow-contacts.ts';

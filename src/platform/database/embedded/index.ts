export { hasCluster } from './cluster.ts';
export { prepareDataDirectory } from './data-directory.ts';
export {
  type EmbeddedDatabaseOptions,
  openEmbeddedDatabase,
} from './open-embedded-database.ts';

import type { Platform } from '../../platform/platform.ts';

export type EditDeps = Pick<Platform, 'db' | 'clock' | 'settings' | 'secrets'>;

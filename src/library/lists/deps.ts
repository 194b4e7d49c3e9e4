import type { Platform } from '../../platform/platform.ts';

export type ListDeps = Pick<Platform, 'db' | 'clock'>;

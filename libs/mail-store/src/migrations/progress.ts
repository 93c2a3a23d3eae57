/** The last event of a migration. At each of them it may be killed and repeated. */
export type MigrationEvent =
  | { at: 'waiting' }
  | { at: 'step begun' | 'step done'; version: number; title: string }
  | {
      at: 'batch written' | 'part done';
      version: number;
      collection: string;
      seen: number;
      changed: number;
      total: number;
    }
  | { at: 'document passed over'; version: number; collection: string; id: string; cause: string }
  | { at: IndexPoint; collection: string; index: string }
  | { at: 'version recorded' | 'newer version left'; version: number };

export type IndexPoint = 'index made' | 'bridge made' | 'index dropped' | 'bridge dropped' | 'index refused';

/** Waited for, so that a test can stop a migration anywhere and let others work in between. */
export type OnProgress = (event: MigrationEvent) => void | Promise<void>;

/** Another process syncs the mailbox now, so this one writes nothing more. */
export class LeaseLost extends Error {
  constructor() {
    super('another process synchronizes the mailbox');
    this.name = 'LeaseLost';
  }
}

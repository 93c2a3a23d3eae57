/** Another process syncs the mailbox now, so this one writes nothing more. */
export class LeaseLost extends Error {
  constructor() {
    super('the mailbox is kept in step by another process');
    this.name = 'LeaseLost';
  }
}

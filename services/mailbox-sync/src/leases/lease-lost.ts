/** Somebody else keeps the mailbox in step now: whoever kept it before writes nothing more. */
export class LeaseLost extends Error {
  constructor() {
    super('the mailbox is kept in step by another process');
    this.name = 'LeaseLost';
  }
}

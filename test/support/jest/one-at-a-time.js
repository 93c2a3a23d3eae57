/**
 * Stands in for the AsyncLocalStorage by which Jest remembers the test that an error belongs to. On Node 20 each promise of the process
 * costs more from the moment at which a storage is entered. Tests of one file run one after the other, so the last one begun is the one.
 */
exports.OneAtATime = class OneAtATime {
  #begun = [];

  getStore() {
    return this.#begun.at(-1)?.store;
  }

  async run(store, work) {
    const entry = { store };
    this.#begun.push(entry);
    try {
      return await work();
    } finally {
      this.#begun.splice(this.#begun.indexOf(entry), 1);
    }
  }
};

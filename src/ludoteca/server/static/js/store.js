/**
 * The browser's stores. A browser may refuse to keep a value: site data are blocked, or the store is full. The page remembers
 * that value itself until the player leaves it.
 */

class Store {
  /** @param {() => Storage} open */
  constructor(open) {
    this.open = open;
    /** The values that the browser has refused. @type {Map<string, string>} */
    this.refused = new Map();
  }

  /** @param {string} key */
  get(key) {
    return this.refused.get(key) ?? this.ask((store) => store.getItem(key)) ?? null;
  }

  /** @param {string} key @param {string} text @returns {boolean} true if the browser keeps it */
  set(key, text) {
    this.refused.set(key, text);
    this.ask((store) => {
      store.setItem(key, text);
      this.refused.delete(key);
    });
    return !this.refused.has(key);
  }

  /** @param {string} key */
  remove(key) {
    this.refused.delete(key);
    this.ask((store) => store.removeItem(key));
  }

  /** Return a value that was written, or null if none can be read. The caller checks its type. @param {string} key @returns {any} */
  read(key) {
    try {
      return JSON.parse(this.get(key) ?? "null");
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return null;
    }
  }

  /** Keep a value in JSON. @param {string} key @param {any} value @returns {boolean} true if the browser keeps it */
  write(key, value) {
    return this.set(key, JSON.stringify(value));
  }

  /** Use the store. @template T @param {(store: Storage) => T} what @returns {T | null} null if it refuses */
  ask(what) {
    try {
      return what(this.open());
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      return null;
    }
  }
}

/** The store of this browser. */
export const local = new Store(() => window.localStorage);
/** The store of this tab. */
export const session = new Store(() => window.sessionStorage);

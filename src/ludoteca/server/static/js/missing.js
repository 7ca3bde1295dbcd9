/** The page for an address at which there is none. */

import { fillBar } from "./prefs.js";
import { loadWords } from "./words.js";

await loadWords();
fillBar();

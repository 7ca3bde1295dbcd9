/** The page for addresses without a page. */

import { fillBar } from "./prefs.js";
import { loadWords } from "./words.js";

await loadWords();
fillBar();

import ScreenModel
import Testing

@testable import ExampleScreens

struct AlbumGridTests {
    @Test(arguments: [
        (200, 1, 200), (289, 1, 289), (290, 2, 140), (320, 2, 155), (375, 2, 182), (439, 2, 214), (440, 3, 140),
        (768, 5, 145), (2000, 13, 144),
    ])
    func theAlbumGridHasAsManyColumnsAsFitIntoItsWidth(width: Int, columns: Int, side: Int) {
        let grid = AlbumGrid(width: Double(width))
        #expect(grid.columnCount == columns)
        #expect(grid.albumSize == Size(width: Double(side), height: Double(side) + AlbumGrid.captionHeight))
    }

    @Test func anAlbumGridHasAsManyColumnsAsFitIntoItsWidth() {
        for width in 200...2000 {
            let grid = AlbumGrid(width: Double(width))
            let side = grid.albumSize.width!
            let spacing = AlbumGrid.spacing * Double(grid.columnCount - 1)
            #expect(side * Double(grid.columnCount) + spacing <= Double(width))
            #expect(side >= AlbumGrid.leastWidth)
            #expect(AlbumGrid.leastWidth * Double(grid.columnCount + 1) + spacing + AlbumGrid.spacing > Double(width))
        }
    }

    @Test func anAlbumGridOfWidthZeroHasOneColumn() {
        #expect(AlbumGrid(width: 0).columnCount == 1)
    }
}
